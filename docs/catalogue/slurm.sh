#!/bin/bash
# A sweep as a Slurm job array:
#   sbatch --array=0-99 slurm.sh        # 100 shards
#   stylemodel report merge parts --report sweep.html --report sweep.csv     # when all of them are done
# Preempted, killed or timed out, submit the same line again: what is done is not done again. To run some tasks only,
# as in --array=7,31, add --shards 100 below.
#SBATCH --job-name=styles
#SBATCH --requeue
#SBATCH --signal=B:TERM@30
#SBATCH --cpus-per-task=1
#SBATCH --output=logs-%a.txt --open-mode=append

# The shell gives way to the program, so that signals reach it.
exec stylemodel sweep 'styles/*.pth' --schemes fp16,int8,int6,int4 --images photos \
  --shard auto --parts parts --cache cache --threads "${SLURM_CPUS_PER_TASK:-1}"
