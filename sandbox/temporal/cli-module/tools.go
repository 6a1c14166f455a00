//go:build tools

// Package tools pins the Temporal CLI, which the sandbox builds if it cannot download the release.
package tools

import _ "github.com/temporalio/cli/cmd/temporal"
