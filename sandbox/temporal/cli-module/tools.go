//go:build tools

// Package tools pins the Temporal CLI that the sandbox builds where its release cannot be downloaded.
package tools

import _ "github.com/temporalio/cli/cmd/temporal"
