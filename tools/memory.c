/* What LLVM calls for loops that fill or copy memory, so that no C library is needed. */
typedef __SIZE_TYPE__ size_t;

void *memset(void *to, int value, size_t size) {
    unsigned char *at = to;
    while (size--) *at++ = (unsigned char)value;
    return to;
}

void *memcpy(void *restrict to, const void *restrict from, size_t size) {
    unsigned char *at = to;
    const unsigned char *read = from;
    while (size--) *at++ = *read++;
    return to;
}

void *memmove(void *to, const void *from, size_t size) {
    unsigned char *at = to;
    const unsigned char *read = from;
    if (at < read) return memcpy(to, from, size);
    while (size--) at[size] = read[size];
    return to;
}
