#pragma once

/* Parameters a1, a2, ... of a type, HM_PARAMETER, and the same as arguments: macros cannot count.
 */

#define HM_P1 HM_PARAMETER a1
#define HM_P2 HM_P1, HM_PARAMETER a2
#define HM_P3 HM_P2, HM_PARAMETER a3
#define HM_P4 HM_P3, HM_PARAMETER a4
#define HM_P5 HM_P4, HM_PARAMETER a5
#define HM_P6 HM_P5, HM_PARAMETER a6
#define HM_P7 HM_P6, HM_PARAMETER a7
#define HM_P8 HM_P7, HM_PARAMETER a8
#define HM_P9 HM_P8, HM_PARAMETER a9
#define HM_P10 HM_P9, HM_PARAMETER a10
#define HM_P11 HM_P10, HM_PARAMETER a11
#define HM_P12 HM_P11, HM_PARAMETER a12
#define HM_P13 HM_P12, HM_PARAMETER a13
#define HM_P14 HM_P13, HM_PARAMETER a14
#define HM_A1 a1
#define HM_A2 HM_A1, a2
#define HM_A3 HM_A2, a3
#define HM_A4 HM_A3, a4
#define HM_A5 HM_A4, a5
#define HM_A6 HM_A5, a6
#define HM_A7 HM_A6, a7
#define HM_A8 HM_A7, a8
#define HM_A9 HM_A8, a9
#define HM_A10 HM_A9, a10
#define HM_A11 HM_A10, a11
#define HM_A12 HM_A11, a12
#define HM_A13 HM_A12, a13
#define HM_A14 HM_A13, a14
