//go:build tools

// Package tools pins the Temporal server and its schema tool that the topology tests build.
package tools

import (
	_ "go.temporal.io/server/cmd/server"
	_ "go.temporal.io/server/cmd/tools/sql"
)
