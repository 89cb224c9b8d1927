# shellcheck shell=bash disable=SC2034  # for the scripts that source this
# What a result depends on. Sourced by scripts whose folder is the project's root. Sets tree to the
# files as they are now, and commit to a name for them.

# The files as they are now, committed or not, as a git tree.
working_tree() {
  local index
  index=$(mktemp)
  cp "$(git rev-parse --git-path index)" "$index"
  GIT_INDEX_FILE=$index git add -A
  GIT_INDEX_FILE=$index git write-tree
  rm -f "$index"
}

# What a result depends on, as one word.
key() { # INPUT...
  git ls-tree -r "$tree" -- "$@" | sha256sum | cut -c1-16
}

tree=$(working_tree)
commit=$(git rev-parse --short=12 HEAD)
[[ $tree == "$(git rev-parse 'HEAD^{tree}')" ]] || commit+=-changed-${tree:0:12}
