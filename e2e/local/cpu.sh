# shellcheck shell=bash
# How much of the processors' time others used. Sourced by scripts.

# cpu_sample PROCESS: the ticks since the machine started, of all processors: of PROCESS and what it
# started, ended children too; of all processes, those of the kernel too; that the hypervisor took; and
# in all. The kernel measures the time of processes, and estimates how busy a processor is from what
# runs at its clock's ticks. Work that timers begin, as operations at a fixed rate, runs more often at
# ticks: the estimate was over it by up to 10 % of all time. So it is not used here.
cpu_sample() {
  # A process may end while it is read. Its name may have spaces and parentheses.
  cat /proc/stat /proc/[0-9]*/stat 2> /dev/null | awk -v root="$1" '
    $1 == "cpu" {
      steal = $9
      all = $2 + $3 + $4 + $5 + $6 + $7 + $8 + steal
    }
    match($0, /^[0-9]+ \(/) {
      process = $1
      sub(/.*\) /, "")
      parent[process] = $2
      used[process] = $12 + $13 + $14 + $15
    }
    END {
      for (process in parent) {
        for (at = process; at > 1 && at != root; at = parent[at]) ;
        if (at == root) own += used[process]
        everyone += used[process]
      }
      print own + 0, everyone, steal, all
    }'
}

# cpu_shares BEFORE AFTER: percent of all processors' time that others used, and that the hypervisor
# took, between two samples.
cpu_shares() {
  awk -v before="$1" -v after="$2" 'BEGIN {
    split(before, b)
    split(after, a)
    all = a[4] - b[4]
    foreign = (a[2] - b[2]) - (a[1] - b[1])
    if (all < 1) all = 1
    if (foreign < 0) foreign = 0
    printf("%.2f %.2f\n", 100 * foreign / all, 100 * (a[3] - b[3]) / all)
  }'
}
