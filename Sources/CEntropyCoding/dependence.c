#include <stdlib.h>

#include "CEntropyCoding.h"

const uint8_t ce_next_state[CE_STATES][2] = {{0, 2}, {5, 7}, {1, 3}, {6, 4}, {2, 0}, {4, 6}, {3, 1}, {7, 5}};

int ce_depend(const ce_layout *layout, const int16_t *integers) {
  for (size_t outer = 0; outer < layout->outer; outer++) {
    for (size_t inner = 0; inner < layout->inner; inner++) {
      const int16_t *next = integers + outer * layout->rows * layout->inner + inner;
      unsigned state = 0;
      for (size_t row = 0; row < layout->rows; row++, next += layout->inner) {
        unsigned magnitude = (unsigned)abs(*next);
        if (magnitude != 0 && (magnitude & 1) != (state & 1)) return 0;
        state = ce_next_state[state][((magnitude + 1) / 2) & 1];
      }
    }
  }
  return 1;
}
