#!/bin/bash
# Workers of a master that runs elsewhere, as an array of jobs: each joins when there is room for it. Written by 'sortfirst slurm --print'.
#
#   sbatch workers.sh                    what happens goes to sortfirst-JOB_TASK.out
#   sbatch --account=me workers.sh       other options of sbatch may be added
#   scancel JOB                          sends them away
#
# Assumed: the program below is under the same path on all nodes, and these reach the master at @master@. It needs
# the secret of workers: in the variable SORTFIRST_TOKEN where this is submitted, or in a file that is named below.
#
#SBATCH --job-name=sortfirst-workers
#SBATCH --output=sortfirst-%A_%a.out
#SBATCH --open-mode=append
#SBATCH --array=1-@count@
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH @share@
@limits@
#SBATCH --requeue

set -u
sortfirst=(@program@)
@secret@
# It leaves before its time is over, and finishes what it has begun; a job without a limit stays.
life=()
end=$(squeue --noheader --jobs="$SLURM_JOB_ID" --format=%e)
case $end in
  [0-9]*)
    left=$(($(date --date="$end" +%s) - $(date +%s) - @grace@))
    life=(--lifetime "$((left > 1 ? left : 1))")
    ;;
esac
exec srun --ntasks=1 --cpu-bind=none @cpus@"${sortfirst[@]}" worker @master@ --threads auto \
  --name "slurm-$SLURM_ARRAY_JOB_ID-$SLURM_ARRAY_TASK_ID" --death-timeout @death@ "${life[@]}"
