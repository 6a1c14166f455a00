//go:build tools

// Package tools pins what renders and validates the manifests in deploy/kubernetes, and what checks
// the workflows in .github/workflows.
package tools

import (
	_ "github.com/rhysd/actionlint/cmd/actionlint"
	_ "github.com/yannh/kubeconform/cmd/kubeconform"
	_ "sigs.k8s.io/kustomize/kustomize/v5"
)
