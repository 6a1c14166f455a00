//go:build tools

// Package tools pins what renders and validates the manifests in deploy/kubernetes.
package tools

import (
	_ "github.com/yannh/kubeconform/cmd/kubeconform"
	_ "sigs.k8s.io/kustomize/kustomize/v5"
)
