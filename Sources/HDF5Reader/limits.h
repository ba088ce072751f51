// The bounds that a file is read within, and how the process that reads it is shut in.
#pragma once

#include <stdint.h>

enum {
  greatest_depth = 64,         // of groups within groups
  greatest_rank = 8,           // of a dataset
  greatest_object_count = 1 << 16,
  greatest_attribute_count = 1 << 16,  // of all objects together
  greatest_element_count = 1 << 20,    // of an attribute
  greatest_name_length = 4096,
};

struct limits {
  uint64_t memory_bytes;   // of address space
  uint64_t cpu_seconds;
  uint64_t content_bytes;  // of all attributes and datasets together
};

// Takes from this process whatever reading does not need: memory and time beyond the limits, files to write, core
// dumps. None of it can be had again. Returns 0, or -1 where the system refuses.
int shut_in(const struct limits *limits);

// From here on the process can open no file at all. Returns 0, or -1 where the system refuses.
int forbid_files(void);
