# shellcheck shell=bash disable=SC2034
# Every version this folder decides on. The Go modules under go/ must agree;
# selftest checks that they do. renovate.json reads each module's name behind its version.

# 1.35 no longer runs its kubelet on cgroup v1, which some CI machines still have.
KUBERNETES_VERSION=1.34.4 # k8s.io/kubernetes
ETCD_VERSION=3.6.8 # go.etcd.io/etcd/server/v3
COREDNS_VERSION=1.12.4 # github.com/coredns/coredns
LOCAL_PATH_VERSION=0.0.30 # github.com/rancher/local-path-provisioner
KIND_VERSION=0.30.0 # sigs.k8s.io/kind
# Of the same minor as Kubernetes, and go/tools pins what both use to what go/kube has: compiled once.
HELM_VERSION=3.19.5 # helm.sh/helm/v3
KUBE_ROUTER_VERSION=2.1.0 # github.com/cloudnativelabs/kube-router/v2
# Named in containerd's configuration of the node and in kubeadm's defaults.
PAUSE_VERSION=3.10.1

# The node image that kind 0.30.0 itself defaults to.
PUBLISHED_NODE_IMAGE=kindest/node:v1.34.0@sha256:7416a61b42b1662ca6ca89f02028ac133a309a2a30ba309614e8ec94d976dc5a
# The environment may name one by its digest, which cannot be moved as the tag can.
PUBLISHED_JAVA_IMAGE=${PUBLISHED_JAVA_IMAGE:-eclipse-temurin:17-jdk}

DEBIAN_SUITE=bookworm
