#!/bin/bash
# A sweep on a few machines that ssh reaches, with GNU parallel. All of them see this folder under the same path (NFS,
# sshfs) and have stylemodel in PATH.
#   ./parallel.sh machine-a,machine-b,machine-c
# A machine that goes away costs nothing but time: run the same line again.
set -euo pipefail
machines=$1
shards=24

# Each machine knows its share from the plan, without looking at every network first.
stylemodel sweep 'styles/*.pth' --schemes fp16,int8,int6,int4 --images photos --save-plan plan.json
seq "$shards" | parallel --sshlogin "$machines" --jobs 1 --workdir "$PWD" --retries 3 \
  stylemodel sweep --plan plan.json --shard "{}/$shards" --parts parts --cache cache
stylemodel report merge parts --report sweep.html --report sweep.csv
