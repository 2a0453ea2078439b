# Reads a Go coverage profile, in which one block appears once for each test binary, and
# fails if a package named in packages has less than the least percentage of statements
# covered. Lines look like: taskmarket/store/tx.go:12.34,15.2 3 1
NR > 1 {
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
		verdict = share < least ? "too little" : "ok"
		if (share < least) failed = 1
		printf "%-8s %5.1f %% of %5d statements  %s\n", package, share, total[package], verdict
	}
	exit failed
}
