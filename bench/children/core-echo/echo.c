/*
 * A core module without a library. `echo` is a plugin of extism, by its host interface of 64-bit offsets into memory that
 * is not the module's own; `same` is a bare export. Gives back what it gets, both ways.
 */
#include <stdint.h>

#define IMPORT(name) __attribute__((import_module("extism:host/env"), import_name(name)))
#define EXPORT(name) __attribute__((export_name(name)))

IMPORT("input_length") uint64_t input_length(void);
IMPORT("input_load_u8") uint32_t input_load_u8(uint64_t offset);
IMPORT("input_load_u64") uint64_t input_load_u64(uint64_t offset);
IMPORT("alloc") uint64_t alloc(uint64_t length);
IMPORT("store_u8") void store_u8(uint64_t offset, uint32_t byte);
IMPORT("store_u64") void store_u64(uint64_t offset, uint64_t bytes);
IMPORT("output_set") void output_set(uint64_t offset, uint64_t length);

EXPORT("echo") int32_t echo(void) {
  uint64_t length = input_length();
  uint64_t output = alloc(length);
  uint64_t at = 0;
  for (; at + 8 <= length; at += 8) store_u64(output + at, input_load_u64(at));
  for (; at < length; at++) store_u8(output + at, input_load_u8(at));
  output_set(output, length);
  return 0;
}

EXPORT("same") int32_t same(int32_t value) { return value; }
