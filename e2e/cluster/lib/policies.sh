# shellcheck shell=bash
# Enforcement of NetworkPolicies where the pod network is node/pod-network, which has none:
# kube-router on each node, for its firewall alone. It is built and brought to the nodes only
# when it is switched on, so that other runs do not wait for it.

ENFORCER=/usr/local/bin/network-policies
ENFORCER_UNIT=/etc/systemd/system/network-policies.service

build_policies() {
  go_build policies "$1/" '' github.com/cloudnativelabs/kube-router/v2/cmd/kube-router
}

# ensure_kube_router: sets KUBE_ROUTER_DIR.
ensure_kube_router() {
  local key
  key=$(sha_of "$GO_DIR/policies/go.sum")
  KUBE_ROUTER_DIR=$CACHE/policies/$KUBE_ROUTER_VERSION-$key-$PLATFORM
  [[ -e $KUBE_ROUTER_DIR ]] || need_go
  cache_entry "$KUBE_ROUTER_DIR" "building kube-router (up to 4 minutes from nothing)" build_policies
}

# cluster_policies NAME OFF: switches enforcement on, or off if OFF is not empty. On a cluster
# where it is on already, it starts again with what is here.
cluster_policies() {
  local name=$1 off=$2 dir=$CLUSTERS/$1
  use_docker || die "no Docker daemon responds"
  refuse_foreign "$name"
  ensure_tools
  is_up "$name" || die "no cluster $name is up"
  if [[ $(<"$dir/node-image") != "${OWN_NODE_IMAGE%:*}":* ]]; then
    say "kindnet, the pod network of cluster $name, enforces NetworkPolicies; it cannot be switched off"
    return
  fi
  if [[ -n $off ]]; then
    step "cluster $name: ending the enforcement of NetworkPolicies" "kind-$name-policies" end_policies "$name"
    rm -f "$dir/policies"
  else
    ensure_kube_router
    # Before the first node: what fails half-way is to be switched off too.
    : >"$dir/policies"
    step "cluster $name: enforcing NetworkPolicies (about 20 s)" "kind-$name-policies" enforce_policies "$name"
  fi
}

enforce_policies() {
  local node KUBECONFIG
  KUBECONFIG=$(kubeconfig_of "$1")
  export KUBECONFIG
  kubectl apply -f "$HERE/policies/access.yaml"
  for node in $(node_containers "$1" '{{.Names}}'); do
    # A program that runs cannot be replaced.
    bounded 60 docker exec "$node" systemctl stop network-policies 2>/dev/null || true
    bounded 120 docker cp "$KUBE_ROUTER_DIR/kube-router" "$node:/usr/local/bin/kube-router"
    bounded 60 docker cp "$HERE/policies/network-policies" "$node:$ENFORCER"
    bounded 60 docker cp "$HERE/policies/network-policies.service" "$node:$ENFORCER_UNIT"
    bounded 60 docker exec "$node" systemctl daemon-reload
    bounded 60 docker exec "$node" systemctl start network-policies
  done
  for node in $(node_containers "$1" '{{.Names}}'); do
    if ! wait_until 90 node_enforces "$node"; then
      bounded 20 docker exec "$node" journalctl --no-pager -n 60 -u network-policies || true
      echo "$node does not have a chain for each of its pods"
      return 1
    fi
  done
}

# node_enforces NODE: each pod of the node with an address of its own has its chain.
node_enforces() {
  local pods chains
  bounded 20 docker exec "$1" systemctl is-active --quiet network-policies || return 1
  pods=$(bounded 20 kubectl get pods --all-namespaces --no-headers \
    --field-selector "spec.nodeName=$1,status.phase=Running" -o custom-columns=HOST:.spec.hostNetwork) || return 1
  pods=$(grep -c '<none>' <<<"$pods" || true)
  chains=$(bounded 20 docker exec "$1" iptables-save -t filter) || return 1
  chains=$(grep -c '^:KUBE-POD-FW-' <<<"$chains" || true)
  # kube-router made its own chains, also where the node has no such pod.
  bounded 20 docker exec "$1" iptables -w 5 -t filter -n -L KUBE-ROUTER-FORWARD >/dev/null || return 1
  ((chains >= pods))
}

end_policies() {
  local node KUBECONFIG
  KUBECONFIG=$(kubeconfig_of "$1")
  export KUBECONFIG
  for node in $(node_containers "$1" '{{.Names}}'); do
    bounded 20 docker exec "$node" test -e "$ENFORCER_UNIT" || continue
    bounded 60 docker exec "$node" systemctl stop network-policies
    bounded 120 docker exec "$node" "$ENFORCER" clean
  done
  kubectl delete --ignore-not-found -f "$HERE/policies/access.yaml"
}
