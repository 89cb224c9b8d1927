//go:build tools

// Package policies pins the main package that is built from this module, so that
// go.mod and go.sum cover it. It has a module of its own: its libraries are older
// than those of Kubernetes in ../kube.
package policies

import (
	_ "github.com/cloudnativelabs/kube-router/v2/cmd/kube-router"
)
