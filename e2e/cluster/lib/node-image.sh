# shellcheck shell=bash
# The image a node runs: the published one, or one made here from Debian packages,
# Go modules and kind's own files.

NODE_PACKAGES=systemd,systemd-sysv,dbus,containerd,runc,containernetworking-plugins
NODE_PACKAGES+=,iptables,nftables,conntrack,ipset,ethtool,socat,iproute2,iputils-ping
NODE_PACKAGES+=,mount,util-linux,kmod,procps,hostname,jq,rsync,bash,tar,gzip,pigz,curl
NODE_PACKAGES+=,ca-certificates,libseccomp2,busybox-static

NODE_KEY=$(sha_of "$HERE"/lib/{node-image,debian,versions}.sh "$HERE"/node/* "$GO_DIR"/{kube,tools}/go.sum)
OWN_NODE_IMAGE=hbase-offheap/node:$KUBERNETES_VERSION-$NODE_KEY
NODE_TAR=$CACHE/node-image/$KUBERNETES_VERSION-$NODE_KEY

# ensure_node_image: sets NODE_IMAGE.
ensure_node_image() {
  if pull_if_possible "$PUBLISHED_NODE_IMAGE"; then
    NODE_IMAGE=$PUBLISHED_NODE_IMAGE
  else
    NODE_IMAGE=$OWN_NODE_IMAGE
    image_there "$OWN_NODE_IMAGE" || make_node_image
  fi
}

make_node_image() {
  if [[ ! -e $NODE_TAR ]]; then
    need_mmdebstrap "the node image $PUBLISHED_NODE_IMAGE"
    apt_install jq util-linux
    ensure_node_binaries
    cache_entry "$NODE_TAR" "making the node image (about 90 s)" build_node_image
  fi
  step "importing the node image into Docker (about 20 s)" node-image-import import_node_image
}

build_node_image() {
  local out=$1 root=$1/root images=$1/images
  debian_root "$root" "$NODE_PACKAGES"
  add_kind_files "$root"
  trim_systemd "$root"
  add_kubernetes "$root"
  pack_images "$root" "$images"
  preload_images "$root" "$images"
  rm -rf "$images"
  pack_image "$root" "$OWN_NODE_IMAGE" '{"Env": ["container=docker", "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"],
    "Entrypoint": ["/usr/local/bin/entrypoint", "/sbin/init"], "StopSignal": "SIGRTMIN+3"}'
  mv "$root.tar" "$out/image.tar"
}

import_node_image() {
  bounded 300 docker load --quiet --input "$NODE_TAR/image.tar"
}

# What kind's own Dockerfile copies, out of the kind module itself.
add_kind_files() {
  local root=$1 files
  files=$(cd "$GO_DIR/tools" && GOWORK=off GOFLAGS='' go mod download sigs.k8s.io/kind &&
    GOWORK=off GOFLAGS='' go list -m -f '{{.Dir}}' sigs.k8s.io/kind)/images/base/files
  mkdir -p "$root/kind"
  # The module cache is read-only, the copies must not be.
  cp -r --no-preserve=mode,ownership "$files/etc/." "$root/etc/"
  cp -r --no-preserve=mode,ownership "$files/kind/." "$root/kind/"
  install -m 755 "$files/usr/local/bin/entrypoint" "$root/usr/local/bin/entrypoint"
  chmod 755 "$root"/kind/bin/*
}

trim_systemd() {
  local root=$1 unit
  # As kind's Dockerfile does: nothing starts but what a node needs.
  rm -f \
    "$root"/lib/systemd/system/sysinit.target.wants/systemd-tmpfiles-setup.service \
    "$root"/lib/systemd/system/multi-user.target.wants/* \
    "$root"/etc/systemd/system/*.wants/* \
    "$root"/lib/systemd/system/local-fs.target.wants/* \
    "$root"/lib/systemd/system/sockets.target.wants/*udev* \
    "$root"/lib/systemd/system/sockets.target.wants/*initctl* \
    "$root"/lib/systemd/system/basic.target.wants/*
  echo "ReadKMsg=no" >>"$root/etc/systemd/journald.conf"
  # These settings belong to the whole machine, not to a container on it.
  rm -f "$root"/usr/lib/sysctl.d/{50-pid-max,99-protect-links}.conf
  ln -sf /dev/null "$root/etc/systemd/system/systemd-binfmt.service"
  install -m 755 "$HERE/node/pod-network" "$root/usr/local/bin/pod-network"
  install -m 644 "$HERE/node/pod-network.service" "$root/etc/systemd/system/pod-network.service"
  mkdir -p "$root/etc/systemd/system/multi-user.target.wants"
  for unit in containerd kubelet undo-mount-hacks pod-network; do
    ln -sf "/etc/systemd/system/$unit.service" "$root/etc/systemd/system/multi-user.target.wants/$unit.service"
  done
}

add_kubernetes() {
  local root=$1 b
  install -m 755 "$KUBE_DIR"/{kubelet,kubeadm} "$API_DIR/kubectl" "$root/usr/bin/"
  printf 'v%s' "$KUBERNETES_VERSION" >"$root/kind/version"
  mkdir -p "$root"/etc/kubernetes/manifests "$root"/etc/cni/net.d "$root"/opt/cni "$root"/lib/modules "$root"/kind/manifests
  ln -sfn /usr/lib/cni "$root/opt/cni/bin"
  # Where kind's unit files expect them.
  for b in containerd ctr containerd-shim-runc-v2; do
    ln -sf "/usr/bin/$b" "$root/usr/local/bin/$b"
  done
  sed -i \
    -e "s#pause:[0-9.]*\"#pause:$PAUSE_VERSION\"#" \
    -e '/^\[proxy_plugins\]/,/^$/d' \
    "$root/etc/containerd/config.toml"
  cat >>"$root/etc/containerd/config.toml" <<'EOF'

[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "/opt/cni/bin"
  conf_dir = "/etc/cni/net.d"
EOF
  # As kind's Dockerfile does.
  chroot "$root" ctr oci spec |
    jq '.hooks.createContainer[.hooks.createContainer | length] |= . + {"path": "/kind/bin/mount-product-files.sh"}
      | del(.process.rlimits)' >"$root/etc/containerd/cri-base.json"
  sed -e "s#@VERSION@#v$LOCAL_PATH_VERSION#" "$HERE/node/default-storage.yaml" >"$root/kind/manifests/default-storage.yaml"
  cp "$HERE/node/default-cni.yaml" "$root/kind/manifests/default-cni.yaml"
}

# pack_images ROOT OUT: the control plane's images, under kubeadm's names.
# One layer each, packed without a daemon.
pack_images() {
  local root=$1 out=$2 c
  mkdir -p "$out"
  for c in kube-apiserver kube-controller-manager kube-scheduler; do
    image_root "$out/$c" /usr/local/bin "$(binary "$c")"
    program_image "$out/$c" "registry.k8s.io/$c:v$KUBERNETES_VERSION" "/usr/local/bin/$c"
  done
  image_root "$out/etcd" /usr/local/bin "$API_DIR/etcd"
  program_image "$out/etcd" "registry.k8s.io/etcd:$ETCD_VERSION" /usr/local/bin/etcd
  image_root "$out/coredns" / "$KUBE_DIR/coredns"
  program_image "$out/coredns" "registry.k8s.io/coredns/coredns:v$COREDNS_VERSION" /coredns
  image_root "$out/provisioner" /usr/bin "$KUBE_DIR/local-path-provisioner"
  program_image "$out/provisioner" "docker.io/hbase-offheap/local-path-provisioner:v$LOCAL_PATH_VERSION" /usr/bin/local-path-provisioner
  image_root "$out/pause" / "$KUBE_DIR/pause"
  program_image "$out/pause" "registry.k8s.io/pause:$PAUSE_VERSION" /pause
  busybox_root "$root" "$out/busybox"
  program_image "$out/busybox" docker.io/hbase-offheap/busybox:1 /bin/sh
  proxy_root "$root" "$out/kube-proxy"
  program_image "$out/kube-proxy" "registry.k8s.io/kube-proxy:v$KUBERNETES_VERSION" /usr/local/bin/kube-proxy
}

binary() {
  if [[ -e $API_DIR/$1 ]]; then
    echo "$API_DIR/$1"
  else
    echo "$KUBE_DIR/$1"
  fi
}

# image_root FOLDER PLACE BINARY...
image_root() {
  local folder=$1 place=$2
  shift 2
  mkdir -p "$folder$place" "$folder/etc" "$folder/tmp"
  chmod 1777 "$folder/tmp"
  echo 'root:x:0:0:root:/:/bin/sh' >"$folder/etc/passwd"
  echo 'hosts: files dns' >"$folder/etc/nsswitch.conf"
  install -m 755 "$@" "$folder$place/"
}

# For the folders of volumes, and for tests that want a shell in a pod.
busybox_root() {
  local root=$1 folder=$2 applet
  image_root "$folder" /bin "$root/bin/busybox"
  for applet in $(chroot "$root" /bin/busybox --list); do
    [[ $applet == busybox ]] || ln -s busybox "$folder/bin/$applet"
  done
}

# kube-proxy calls the node's iptables; they come with the libraries they need.
proxy_root() {
  local root=$1 folder=$2 l f
  mkdir -p "$folder"/usr/{bin,sbin,lib,lib64,lib/x86_64-linux-gnu} "$folder"/{run,var}
  for l in bin sbin lib lib64; do
    ln -s "usr/$l" "$folder/$l"
  done
  image_root "$folder" /usr/local/bin "$KUBE_DIR/kube-proxy"
  cp -a "$root"/usr/sbin/{xtables-nft-multi,conntrack,ipset,nft} "$folder/usr/sbin/"
  for l in iptables ip6tables; do
    for f in '' -save -restore; do
      ln -s xtables-nft-multi "$folder/usr/sbin/$l$f"
    done
  done
  cp -a "$root/usr/bin/kmod" "$folder/usr/bin/"
  ln -s ../bin/kmod "$folder/usr/sbin/modprobe"
  cp -a "$root/usr/lib/x86_64-linux-gnu/xtables" "$folder/usr/lib/x86_64-linux-gnu/"
  find "$folder/usr/sbin" "$folder/usr/bin" "$folder/usr/lib/x86_64-linux-gnu/xtables" -type f |
    while read -r f; do
      chroot "$root" ldd "${f#"$folder"}" 2>/dev/null || true
    done | grep -oE '/\S+\.so\S*' | sort -u |
    while read -r l; do
      cp -L "$root$l" "$folder$(dirname "$l")/"
    done
  chroot "$folder" /usr/sbin/iptables --version
}

# program_image FOLDER NAME ENTRYPOINT
program_image() {
  pack_image "$1" "$2" "$(jq -n --arg entrypoint "$3" \
    '{Env: ["PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"], Entrypoint: [$entrypoint]}')"
}

# pack_image FOLDER NAME CONFIGURATION: makes FOLDER into FOLDER.tar, a docker
# archive with one layer.
pack_image() {
  local folder=$1 name=$2 settings=$3 out=$1.image layer config
  mkdir "$out"
  tar --numeric-owner --xattrs --one-file-system --sort=name -C "$folder" -cf "$out/layer.tar" .
  rm -rf "$folder"
  layer=$(sha256sum "$out/layer.tar" | cut -d' ' -f1)
  jq -n --arg layer "sha256:$layer" --argjson settings "$settings" '{
    architecture: "amd64", os: "linux", created: "2026-01-01T00:00:00Z", config: $settings,
    rootfs: {type: "layers", diff_ids: [$layer]},
    history: [{created: "2026-01-01T00:00:00Z", created_by: "e2e/cluster"}]}' >"$out/config.json"
  config=$(sha256sum "$out/config.json" | cut -d' ' -f1)
  mv "$out/config.json" "$out/$config.json"
  jq -n --arg config "$config.json" --arg name "$name" \
    '[{Config: $config, RepoTags: [$name], Layers: ["layer.tar"]}]' >"$out/manifest.json"
  tar -C "$out" -cf "$folder.tar" manifest.json "$config.json" layer.tar
  rm -rf "$out"
}

# preload_images ROOT FOLDER: unpacked into the node's own containerd by that very
# containerd, in mount and process namespaces of its own, so that neither a mount
# nor a process can be left behind.
preload_images() {
  local root=$1 folder=$2
  mkdir -p "$root/images"
  mv "$folder"/*.tar "$root/images/"
  # shellcheck disable=SC2016
  bounded 600 unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
    root=$1
    mount --make-rprivate /
    mount --bind "$root" "$root"
    mount -t proc proc "$root/proc"
    mount -t tmpfs tmpfs "$root/run"
    mount --bind /dev "$root/dev"
    chroot "$root" bash -euo pipefail -s' preload "$root" <<'EOF'
cat >/run/containerd.toml <<'TOML'
version = 2
state = "/run/containerd"
oom_score = 0
disabled_plugins = ["io.containerd.grpc.v1.cri"]
TOML
containerd --config /run/containerd.toml >/run/containerd.log 2>&1 &
for try in $(seq 100); do
  ! ctr version >/dev/null 2>&1 || break
  sleep 0.1
done
for image in /images/*.tar; do
  ctr --namespace k8s.io images import "$image"
done
ctr --namespace k8s.io images list -q
# A node runs from what was unpacked; the layers themselves would be copied into
# every node's volume for nothing. What is left of a layer is its name.
ctr --namespace k8s.io content list | awk '/containerd.io\/uncompressed=/ { print $1 }' |
  while read -r layer; do
    ctr --namespace k8s.io content delete "$layer"
  done
kill "$!"
wait "$!" || true
EOF
  rm -rf "$root/images"
}
