# Reads Go coverage profiles, in which a block occurs once for each test binary. Fails if a package
# in the variable packages has a smaller percentage of covered statements than the variable least.
# Example of a line: taskmarket/store/tx.go:12.34,15.2 3 1
FNR > 1 {
	statements[$1] = $2
	if ($3 > 0) hit[$1] = 1
}

END {
	for (block in statements) {
		package = block
		sub(/\/[^\/]*$/, "", package)
		sub(/^taskmarket\//, "", package)
		total[package] += statements[block]
		if (block in hit) covered[package] += statements[block]
	}
	count = split(packages, wanted, " ")
	for (i = 1; i <= count; i++) {
		package = wanted[i]
		share = total[package] ? 100 * covered[package] / total[package] : 0
		verdict = share < least ? "below the minimum of " least " %" : "ok"
		if (share < least) failed = 1
		printf "%-12s %5.1f %% of %5d statements  %s\n", package, share, total[package], verdict
	}
	exit failed
}
