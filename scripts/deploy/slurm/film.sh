#!/bin/bash
# A film as one job of Slurm: a master, and a worker on each node. Written by 'sortfirst slurm --print'.
#
#   sbatch film.sh                    what happens goes to sortfirst-JOB.out
#   sbatch --account=me film.sh       other options of sbatch may be added
#
# Assumed: Slurm 20.11 or newer; the program below is under the same path on all nodes; the folder in which this is submitted, the
# scene and the film's folder are the same on whichever node comes first, as on a shared file system. Workers need no files.
#
#SBATCH --job-name=sortfirst
#SBATCH --output=sortfirst-%j.out
#SBATCH --open-mode=append
#SBATCH --nodes=@nodes@
#SBATCH --ntasks-per-node=1
#SBATCH @share@
@limits@
# A lost node costs what it had begun, not the job. If the first one is lost, or others take precedence, the job begins again.
#SBATCH --no-kill
#SBATCH --requeue
# So many seconds before its time is over (Slurm may be a minute early), the film stops, and the job is queued again.
#SBATCH --signal=B:USR1@@grace@

set -u
sortfirst=(@program@)
film=(@film@)

# In the network of the nodes are others. Nobody joins this job's master without its secret, which goes to the steps in the environment.
SORTFIRST_TOKEN=$(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')
export SORTFIRST_TOKEN
unset SORTFIRST_TOKEN_FILE

# A step of one task on one node. Steps share what the job has, and the loss of one ends no other.
step() {
  local node=$1
  shift
  srun --nodes=1 --ntasks=1 --nodelist="$node" --overlap --mem=0 --cpu-bind=none "$@"
}
nodes=($(scontrol show hostnames "$SLURM_JOB_NODELIST"))

# The master takes a free port of the first node, where this runs, too, and says which.
log=$(mktemp)
trap 'rm -f "$log"' EXIT
step "${nodes[0]}" --cpus-per-task=1 "${sortfirst[@]}" master --listen 0.0.0.0:0 2> >(tee "$log" >&2) &
master=$!
until port=$(sed -n 's/.* master listens on .*:\([0-9]*\)$/\1/p' "$log") && [ -n "$port" ]; do
  kill -0 "$master" 2>/dev/null || { echo 'the master did not start' >&2; exit 1; }
  sleep 0.2
done
host=$(scontrol --oneliner show node "${nodes[0]}" | sed -n 's/.* NodeAddr=\([^ ]*\).*/\1/p')
case $host in *:*) host="[$host]" ;; esac
url="ws://$host:$port"

for node in "${nodes[@]}"; do
  step "$node" @cpus@"${sortfirst[@]}" worker "$url" --threads auto --name "$node" --death-timeout 120 &
done

# Frames that are complete stay; --resume makes the missing ones, also where the job begins again.
again=
trap 'again=yes; kill -TERM "$client" 2>/dev/null' USR1
"${sortfirst[@]}" "${film[@]}" --master "$url" --resume &
client=$!
wait "$client"
status=$?
# A signal ends a wait before its time.
while kill -0 "$client" 2>/dev/null; do
  wait "$client"
  status=$?
done

if [ -n "$again" ] && [ "$status" -ne 0 ]; then
  if [ "${SLURM_RESTART_COUNT:-0}" -lt @requeues@ ]; then
    echo 'the time is nearly over: the job is queued again for the missing frames' >&2
    scontrol requeue "$SLURM_JOB_ID"
  else
    echo 'the time is nearly over, and the job has begun again @requeues@ times: submit it again, with more --time or --nodes' >&2
  fi
fi
# What is left of the job, the master and the workers, ends with this.
exit "$status"
