#!/bin/sh
# Prints the counters of the invariant campaigns, one table per profile. Fails if an action accounts
# for less than 1% of the successful calls, or if an error never occurred. Run it in
# chain/contracts after `forge test --match-path 'test/invariant/*'`.
set -eu

awk -v floor="${FLOOR:-1}" '
{ counts[$1, $2, $3] += $4; if ($2 == "did") total[$1] += $4; profiles[$1]; names[$2, $3] }
END {
  for (profile in profiles) {
    printf "\n%s: %d calls took effect\n", profile, total[profile]
    for (key in names) {
      split(key, part, SUBSEP)
      if (!((profile, part[1], part[2]) in counts)) continue
      count = counts[profile, part[1], part[2]]
      share = 100 * count / total[profile]
      low = part[1] == "did" ? share < floor : count == 0
      if (low) failed = 1
      line = sprintf("  %-8s %-32s %9d %6.2f %%%s", part[1], part[2], count, share, low ? "  TOO FEW" : "")
      print line | "sort"
    }
    close("sort")
  }
  exit failed
}' .forge/campaigns/*.txt
