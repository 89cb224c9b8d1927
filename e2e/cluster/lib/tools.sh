# shellcheck shell=bash
# The command line tools and Kubernetes' binaries, built from Go modules.

GO_DIR=$HERE/go

go_platform() {
  local os arch
  os=$(uname -s | tr '[:upper:]' '[:lower:]')
  arch=$(uname -m)
  case $arch in
    x86_64) arch=amd64 ;;
    aarch64 | arm64) arch=arm64 ;;
  esac
  echo "$os-$arch"
}

PLATFORM=$(go_platform)

# fabric8's kube-api-test expects k8s/VERSION-OS-ARCH under its folder.
API_DIR=$CACHE/k8s/$KUBERNETES_VERSION-$PLATFORM
TOOLS_KEY=$KUBERNETES_VERSION-$(sha_of "$GO_DIR/tools/go.sum" "$HERE/lib/tools.sh")
TOOLS_DIR=$CACHE/tools/$TOOLS_KEY-$PLATFORM
TOOLS_BIN=$TOOLS_DIR/bin
KUBE_KEY=$(sha_of "$GO_DIR/kube/go.sum" "$GO_DIR"/kube/{coredns,pause}/main.go)
KUBE_DIR=$CACHE/kubernetes/$KUBERNETES_VERSION-$KUBE_KEY-$PLATFORM

need_go() {
  have go || die "Go 1.26 is needed to build the cluster's tools (from 1.21 on, Go fetches the newer one by itself): https://go.dev/doc/install"
}

# go_build MODULE OUT LDFLAGS PACKAGE...: static, without traces of where it was built.
go_build() {
  local module=$1 out=$2 ldflags=$3
  shift 3
  cd "$GO_DIR/$module" || return
  GOWORK=off GOFLAGS='' CGO_ENABLED=0 \
    bounded 3600 nice go build -trimpath -buildvcs=false -ldflags "-s -w $ldflags" -o "$out" "$@"
}

# Without these a binary calls itself v0.0.0-master and kubeadm refuses it.
kubernetes_ldflags() {
  local p
  for p in k8s.io/component-base/version k8s.io/client-go/pkg/version; do
    printf -- '-X %s.gitVersion=v%s -X %s.gitMajor=1 -X %s.gitMinor=%s -X %s.gitCommit=module -X %s.gitTreeState=archive -X %s.buildDate=2026-01-01T00:00:00Z ' \
      "$p" "$KUBERNETES_VERSION" "$p" "$p" "$(cut -d. -f2 <<<"$KUBERNETES_VERSION")" "$p" "$p" "$p"
  done
}

build_api_binaries() {
  go_build kube "$1/" "$(kubernetes_ldflags)" k8s.io/kubernetes/cmd/{kube-apiserver,kubectl}
  go_build kube "$1/etcd" '' go.etcd.io/etcd/server/v3
  echo "$KUBE_KEY" >"$1/.key"
}

ensure_api_binaries() {
  # The folder's name is fixed by its reader, so the key lies inside.
  if [[ -e $API_DIR && $(cat "$API_DIR/.key" 2>/dev/null) != "$KUBE_KEY" ]]; then
    rm -rf "$API_DIR"
  fi
  [[ -e $API_DIR ]] || need_go
  cache_entry "$API_DIR" "building kube-apiserver, kubectl and etcd (up to 8 minutes from nothing)" build_api_binaries
  # Some readers want the folder above k8s/, some k8s/ itself; this makes one
  # printed path right for both.
  [[ -e $CACHE/k8s/k8s ]] || ln -sfn . "$CACHE/k8s/k8s"
}

build_tools() {
  local minor=${KUBERNETES_VERSION#*.} chartutil=helm.sh/helm/v3/pkg/chartutil
  # Without a cluster, helm would compare a chart's kubeVersion with about 1.20.
  local helm_ldflags="-X helm.sh/helm/v3/internal/version.version=v$HELM_VERSION \
    -X $chartutil.k8sVersionMajor=${KUBERNETES_VERSION%%.*} -X $chartutil.k8sVersionMinor=${minor%%.*}"
  mkdir "$1/bin"
  go_build tools "$1/bin/kind" '' sigs.k8s.io/kind
  go_build tools "$1/bin/helm" "$helm_ldflags" helm.sh/helm/v3/cmd/helm
  local b
  for b in kubectl etcd kube-apiserver; do
    ln -s "../../../k8s/$KUBERNETES_VERSION-$PLATFORM/$b" "$1/bin/$b"
  done
}

ensure_tools() {
  ensure_api_binaries
  [[ -e $TOOLS_DIR ]] || need_go
  cache_entry "$TOOLS_DIR" "building kind and helm (up to 4 minutes from nothing)" build_tools
  PATH=$TOOLS_BIN:$PATH
}

build_node_binaries() {
  go_build kube "$1/" "$(kubernetes_ldflags)" \
    k8s.io/kubernetes/cmd/{kubelet,kubeadm,kube-proxy,kube-controller-manager,kube-scheduler} \
    ./coredns ./pause
  # On its own: it names a dependency in another case than the rest does, and one
  # build may not hold both.
  go_build kube "$1/" '' github.com/rancher/local-path-provisioner
}

# What a node image needs beyond the API binaries; not built where the published
# node image is used.
ensure_node_binaries() {
  ensure_api_binaries
  [[ -e $KUBE_DIR ]] || need_go
  cache_entry "$KUBE_DIR" "building the rest of Kubernetes for the node image (up to 8 minutes from nothing)" build_node_binaries
}
