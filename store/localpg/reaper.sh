# Stops the shared server after it has had no users for some time.
# $1: the server's directory  $2: its process id  $3: seconds without users  $4: its data directory
#
# A user first writes users/<its process id> and then checks for "closing". The reaper first
# creates "closing" and then checks for users. So at least one of them detects the other.
dir=$1 pid=$2 patience=$3 data=$4

in_use() {
	for user in "$dir"/users/*; do
		if kill -0 "${user##*/}" 2>/dev/null; then return 0; fi
		rm -f "$user"
	done
	return 1
}

idle=0
while kill -0 "$pid" 2>/dev/null; do
	if in_use; then idle=0; else idle=$((idle + 1)); fi
	if [ "$idle" -gt "$patience" ]; then
		mkdir -p "$dir/closing"
		if in_use; then
			idle=0
		else
			kill -INT "$pid"
			while kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
			rm -rf "$data" # the next start creates a new cluster anyway
		fi
		rmdir "$dir/closing"
	fi
	sleep 1
done
