//go:build tools

// Package tools pins the command line tools that are built from this module.
package tools

import (
	_ "helm.sh/helm/v3/cmd/helm"
	_ "sigs.k8s.io/kind"
)
