# shellcheck shell=bash
# Clusters: up, down, load, env, status.

CLUSTERS=$STATE/clusters

kubeconfig_of() { echo "$CLUSTERS/$1/kubeconfig"; }

# node_containers NAME [FORMAT]: of the kind cluster of that name, ours or not.
node_containers() {
  docker ps -a --no-trunc --filter "label=io.x-k8s.kind.cluster=$1" --format "${2-{{.ID\}\}}" | sort
}

# A cluster is ours if it was being made by us, or if its nodes are the containers
# that we made. The name alone is no proof.
is_ours() {
  local dir=$CLUSTERS/$1
  [[ -e $dir/creating ]] && return
  [[ -e $dir/containers ]] || return 1
  # Each existing node must be on our list; some may have been deleted.
  [[ -z $(comm -13 "$dir/containers" <(node_containers "$1")) ]]
}

refuse_foreign() {
  if [[ -n $(node_containers "$1") ]] && ! is_ours "$1"; then
    die -3 "a kind cluster named $1 exists in this Docker and was not made here (by the records in $CLUSTERS); not touching it. Use another --name, or delete it yourself: kind delete cluster --name $1"
  fi
}

is_up() {
  local dir=$CLUSTERS/$1
  [[ -e $dir/containers && ! -e $dir/creating ]] || return 1
  [[ $(node_containers "$1" '{{.ID}} {{.State}}' 2>/dev/null) == "$(sed 's/$/ running/' "$dir/containers")" ]] || return 1
  KUBECONFIG=$dir/kubeconfig bounded 20 kubectl get --raw /readyz >/dev/null 2>&1
}

cluster_up() {
  local name=$1 nodes=$2 dir=$CLUSTERS/$1 start=$SECONDS count
  ensure_docker
  refuse_foreign "$name"
  ensure_tools
  if is_up "$name"; then
    count=$(wc -l <"$dir/containers")
    if [[ -n $nodes && $nodes != "$((count))" ]]; then
      die "cluster $name is up with $((count)) nodes, not $nodes; run down first"
    fi
    step "cluster $name is up already; checking that it is ready" "kind-$name-ready" wait_ready "$name"
    return
  fi
  if [[ -e $dir ]]; then
    step "cluster $name was left unfinished or has stopped; deleting it" "kind-$name-delete" delete_cluster "$name"
  fi
  ensure_node_image
  note_machine
  mkdir -p "$dir"
  : >"$dir/creating"
  docker network inspect kind >/dev/null 2>&1 || : >"$STATE/kind-network-is-ours"
  kind_config "${nodes:-2}" >"$dir/kind.yaml"
  echo "$NODE_IMAGE" >"$dir/node-image"
  step "creating cluster $name with ${nodes:-2} nodes (about 30 s)" "kind-$name" create_cluster "$name"
  node_containers "$name" >"$dir/containers.new"
  mv "$dir/containers.new" "$dir/containers"
  rm "$dir/creating"
  drop_old_node_images
  step "waiting for nodes, DNS and storage (about 20 s)" "kind-$name-ready" wait_ready "$name"
  say "cluster $name is up after $((SECONDS - start)) s; for its settings: eval \"\$($HERE/cluster env$([[ $name == hbase-offheap ]] || echo " --name $name"))\""
}

# 1.2 GB each. One that a cluster still runs on cannot be removed, and is not.
drop_old_node_images() {
  local image
  for image in $(docker images --format '{{.Repository}}:{{.Tag}}' "${OWN_NODE_IMAGE%:*}"); do
    [[ $image == "$OWN_NODE_IMAGE" ]] || docker image rm "$image" >/dev/null 2>&1 || true
  done
}

# Checked in the daemon itself, which may not be ours, nor on this machine.
nodes_lack_sys_resource() {
  local effective
  effective=$(bounded 60 docker run --rm --privileged --network none --entrypoint cat "$NODE_IMAGE" /proc/self/status |
    sed -n 's/^CapEff:[[:space:]]*//p')
  [[ -n $effective ]] && lacks_sys_resource "$effective"
}

kind_config() {
  local i
  cat <<'EOF'
kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
networking:
  apiServerAddress: 127.0.0.1
EOF
  if nodes_lack_sys_resource; then
    # What keeps containers from a capability keeps a node from giving its pods a
    # better standing with the kernel's memory killer than it has itself.
    cat <<'EOF'
containerdConfigPatches:
  - |-
    [plugins."io.containerd.grpc.v1.cri"]
      restrict_oom_score_adj = true
EOF
  fi
  # In memory, as the cluster does not outlive its nodes: a disk that writes back what others gave
  # it held up etcd's own writes for 9 s, and with them every response of the API server.
  cat <<'EOF'
kubeadmConfigPatches:
  - |
    kind: ClusterConfiguration
    etcd:
      local:
        dataDir: /tmp/etcd
EOF
  if [[ $NODE_IMAGE == "$OWN_NODE_IMAGE" ]]; then
    # The packed versions, in place of kubeadm's defaults.
    cat <<EOF
        imageTag: "$ETCD_VERSION"
    dns:
      imageTag: v$COREDNS_VERSION
EOF
  fi
  echo "nodes:"
  echo "  - role: control-plane"
  for ((i = 1; i < $1; i++)); do
    echo "  - role: worker"
  done
}

create_cluster() {
  local name=$1 dir=$CLUSTERS/$1 status=0
  bounded 420 kind create cluster --name "$name" --image "$NODE_IMAGE" --config "$dir/kind.yaml" \
    --kubeconfig "$dir/kubeconfig" --retain >"$dir/kind.log" 2>&1 || status=$?
  if ((status != 0)); then
    # What went wrong is in the nodes, so it is read before they go.
    docker ps -a --filter "label=io.x-k8s.kind.cluster=$name"
    local node
    for node in $(node_containers "$name" '{{.Names}}'); do
      echo "--- $node"
      bounded 20 docker exec "$node" journalctl --no-pager -n 40 -u kubelet -u containerd -u pod-network || true
    done
    bounded 120 kind delete cluster --name "$name" --kubeconfig "$dir/kubeconfig" || true
    cat "$dir/kind.log"
    echo "kind create cluster failed with status $status; the logs of its nodes are above"
    return "$status"
  fi
  cat "$dir/kind.log"
}

# wait_ready NAME: quick on a cluster that is.
wait_ready() {
  local KUBECONFIG
  KUBECONFIG=$(kubeconfig_of "$1")
  export KUBECONFIG
  # Pods go to every node, as on a small cluster of one's own.
  kubectl taint nodes --all node-role.kubernetes.io/control-plane- 2>/dev/null || true
  kubectl wait --for=condition=Ready nodes --all --timeout=180s
  kubectl -n kube-system rollout status daemonset/kube-proxy --timeout=120s
  kubectl -n kube-system rollout status deployment/coredns --timeout=180s
  kubectl -n local-path-storage rollout status deployment/local-path-provisioner --timeout=120s
  kubectl get storageclass standard
}

cluster_down() {
  local name=$1
  if ! use_docker; then
    # Its containers went with the daemon.
    rm -rf "${CLUSTERS:?}/$name"
    say "no Docker daemon responds, so no cluster $name is up"
  else
    refuse_foreign "$name"
    if [[ -e $CLUSTERS/$name || -n $(node_containers "$name") ]]; then
      ensure_tools
      step "deleting cluster $name" "kind-$name-delete" delete_cluster "$name"
    else
      say "no cluster $name is up"
    fi
  fi
  put_back_after_last
}

delete_cluster() {
  local name=$1
  bounded 120 kind delete cluster --name "$name" --kubeconfig "$(kubeconfig_of "$name")"
  rm -rf "${CLUSTERS:?}/$name"
}

put_back_after_last() {
  local rest
  rest=$(ls "$CLUSTERS" 2>/dev/null || true)
  if [[ -n $rest ]]; then
    # shellcheck disable=SC2086
    say "still up:" $rest
    return
  fi
  rmdir "$CLUSTERS" 2>/dev/null || true
  rm -f "$STATE/no-registry"
  rm -rf "$KUBECACHEDIR"
  if [[ -e $STATE/kind-network-is-ours ]]; then
    ! docker_responds || docker network rm kind >/dev/null 2>&1 || true
    rm -f "$STATE/kind-network-is-ours"
  fi
  if [[ -e $OWN_DOCKER ]]; then
    stop_own_docker
  elif [[ -e $MACHINE ]]; then
    restore_machine
  fi
}

# cluster_load NAME IMAGE...: only to the nodes that lack them.
cluster_load() {
  local name=$1 image id node before missing=() nodes=()
  shift
  use_docker || die "no Docker daemon responds"
  refuse_foreign "$name"
  [[ -n $(node_containers "$name") ]] || die "no cluster $name is up"
  ensure_tools
  for image in "$@"; do
    image_there "$image" || die "no image $image in Docker"
  done
  for node in $(node_containers "$name" '{{.Names}}'); do
    before=${#nodes[@]}
    for image in "$@"; do
      id=$(docker image inspect --format '{{.Id}}' "$image")
      if [[ " $(node_image_ids "$node" "$image") " != *" $id "* ]]; then
        [[ " ${missing[*]-} " == *" $image "* ]] || missing+=("$image")
        [[ " ${nodes[*]-} " == *" $node "* ]] || nodes+=("$node")
      fi
    done
    ((${#nodes[@]} > before)) || note "$node has $*"
  done
  ((${#nodes[@]})) || return 0
  # At once: Docker then writes each image out only once.
  step "loading ${missing[*]} into ${nodes[*]}" "kind-$name-load" \
    bounded 900 kind load docker-image --name "$name" --nodes "$(IFS=,; echo "${nodes[*]}")" "${missing[@]}"
}

# node_image_ids NODE IMAGE: the digests that Docker may have for the node's image of
# that name: of the configuration, or of the manifest if Docker stores images in
# containerd.
node_image_ids() {
  # shellcheck disable=SC2016
  bounded 30 docker exec "$1" bash -c '
    manifest=$(ctr -n k8s.io images list "name==$1" | awk "NR > 1 { print \$3 }")
    [[ -n $manifest ]] || exit 0
    echo "$manifest" $(ctr -n k8s.io content get "$manifest" | jq -r ".config.digest // empty, .manifests[]?.digest")' \
    ids "$(full_name "$2")" | tr '\n' ' ' || true
}

# full_name IMAGE: as containerd keeps it.
full_name() {
  local image=$1 first=${1%%/*}
  [[ ${image##*/} == *[:@]* ]] || image=$image:latest
  if [[ $image != */* ]]; then
    image=docker.io/library/$image
  elif [[ $first != *[.:]* && $first != localhost ]]; then
    image=docker.io/$image
  fi
  echo "$image"
}

cluster_env() {
  local name=$1 base
  # Even if the cluster is not up: tests must not run into whatever cluster the
  # user's own settings point to.
  printf 'export KUBECONFIG=%q\n' "$(kubeconfig_of "$name")"
  printf 'export KUBECACHEDIR=%q\n' "$KUBECACHEDIR"
  if use_docker; then
    print_docker_env
    base=$(base_image_known)
    if [[ -n $base ]]; then
      printf 'export JAVA_BASE_IMAGE=%q\n' "$base"
    else
      say "cluster: no Java base image yet; 'cluster base' makes it"
    fi
  fi
  [[ -e $CLUSTERS/$name/containers ]] || say "cluster: $name is not up"
  # Doing this twice must not grow PATH.
  # shellcheck disable=SC2016
  printf 'case :$PATH: in *:%q:*) ;; *) export PATH=%q:$PATH ;; esac\n' "$TOOLS_BIN" "$TOOLS_BIN"
}

cluster_status() {
  local dir name
  echo "Docker:"
  if ! use_docker; then
    echo "  no daemon responds"
  elif docker_is_own; then
    echo "  our own, process $(own_docker_pid), DOCKER_HOST=$DOCKER_HOST$([[ ! -e $OWN_DOCKER/wrapped ]] || echo ', runc wrapped, BuildKit off')"
  else
    echo "  one that was there (${DOCKER_HOST:-default})"
  fi
  echo "clusters:"
  for dir in "$CLUSTERS"/*/; do
    [[ -e $dir ]] || continue
    name=$(basename "$dir")
    PATH=$TOOLS_BIN:$PATH
    if is_up "$name"; then
      echo "  $name: up, $(wc -l <"$dir/containers") nodes of $(<"$dir/node-image")$([[ ! -e $dir/policies ]] || echo ', NetworkPolicies enforced')"
      echo "    KUBECONFIG=$(kubeconfig_of "$name")"
    else
      echo "  $name: not usable (unfinished or stopped)"
    fi
  done
  [[ -n $(ls "$CLUSTERS" 2>/dev/null) ]] || echo "  none"
  echo "cache: $CACHE"
  for dir in "$CACHE"/*/*; do
    [[ -e $dir && ! -L $dir ]] || continue
    [[ $dir != "$DOCKER_DATA"/* ]] || continue
    du -sxh "$dir" | awk -v cache="$CACHE/" '{ sub(cache, "", $2); printf "  %-6s %s\n", $1, $2 }'
  done
  [[ ! -e $DOCKER_DATA ]] || echo "  $(du -sxh "$DOCKER_DATA" 2>/dev/null | cut -f1)   docker (images and build layers of our own daemon)"
  echo "state: $STATE"
}
