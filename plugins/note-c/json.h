/*
 * As much JSON as a tool needs whose arguments are texts. The host has checked them against the schema, so that they are
 * well-formed; the reader still never leaves the text.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *json_space(const char *at) { return at + strspn(at, " \t\r\n"); }

/* Behind the string that begins at a quote; at the end of the text when it is not closed. */
static const char *json_string_end(const char *at) {
  for (at++; *at && *at != '"'; at++)
    if (*at == '\\' && at[1]) at++;
  return *at ? at + 1 : at;
}

static uint32_t json_hex(const char *at) {
  char digits[5] = {0};
  memcpy(digits, at, strnlen(at, 4));
  return (uint32_t)strtoul(digits, NULL, 16);
}

static char *json_utf8(char *to, uint32_t code) {
  if (code < 0x80) return *to++ = (char)code, to;
  if (code < 0x800) *to++ = (char)(0xc0 | code >> 6);
  else if (code < 0x10000) *to++ = (char)(0xe0 | code >> 12), *to++ = (char)(0x80 | (code >> 6 & 0x3f));
  else {
    *to++ = (char)(0xf0 | code >> 18);
    *to++ = (char)(0x80 | (code >> 12 & 0x3f)), *to++ = (char)(0x80 | (code >> 6 & 0x3f));
  }
  return *to++ = (char)(0x80 | (code & 0x3f)), to;
}

/* Reads an escape of the form uXXXX, or a pair of them; gives where it ends. */
static const char *json_unicode(const char *at, uint32_t *code) {
  *code = json_hex(at + 1);
  at += strnlen(at, 5);
  if ((*code & 0xfc00) != 0xd800 || strncmp(at, "\\u", 2) != 0) return at;
  uint32_t low = json_hex(at + 2);
  if ((low & 0xfc00) != 0xdc00) return at;
  *code = 0x10000 + ((*code & 0x3ff) << 10) + (low & 0x3ff);
  return at + 2 + strnlen(at + 2, 4);
}

/* The text of the string that begins at a quote; to be freed. NULL when it holds U+0000, which ends a text in C. */
static char *json_text(const char *at) {
  const char *end = json_string_end(at);
  char *text = malloc((size_t)(end - at) + 1), *to = text;
  if (!text) __builtin_trap();
  for (at++; at < end && *at && *at != '"';) {
    if (*at != '\\') {
      *to++ = *at++;
      continue;
    }
    static const char names[] = "bfnrt", values[] = "\b\f\n\r\t";
    const char *name = *++at ? strchr(names, *at) : NULL;
    uint32_t code = 0;
    if (*at == 'u') {
      at = json_unicode(at, &code);
      if (code == 0) return free(text), NULL;
      to = json_utf8(to, code);
    } else if (*at) *to++ = name ? values[name - names] : *at, at++;
  }
  *to = 0;
  return text;
}

/* A member of the outermost object that is a string; to be freed. NULL when there is none. */
static char *json_member(const char *json, const char *key) {
  int depth = 0;
  for (const char *at = json; *at;) {
    if (*at == '{' || *at == '[') depth++;
    if (*at == '}' || *at == ']') depth--;
    if (*at != '"') {
      at++;
      continue;
    }
    const char *colon = json_space(json_string_end(at));
    char *name = depth == 1 && *colon == ':' ? json_text(at) : NULL;
    int isFound = name && strcmp(name, key) == 0;
    free(name);
    if (isFound) {
      const char *value = json_space(colon + 1);
      return *value == '"' ? json_text(value) : NULL;
    }
    at = json_string_end(at);
  }
  return NULL;
}

/* A text as a JSON string; to be freed. */
static char *json_quote(const char *text) {
  char *quoted = malloc(strlen(text) * 6 + 3), *to = quoted;
  if (!quoted) return NULL;
  *to++ = '"';
  for (const char *at = text; *at; at++) {
    if (*at == '"' || *at == '\\') *to++ = '\\';
    if ((unsigned char)*at < 0x20) to += sprintf(to, "\\u%04x", *at);
    else *to++ = *at;
  }
  return strcpy(to, "\""), quoted;
}
