#pragma once

/* HM_P3(f): the parameters a1, a2, a3 of a function f, each of the type HM_PARAMETER(f, its
   number), which is to be defined. HM_A3: the same as arguments. Macros cannot count. */

#define HM_P1(f) HM_PARAMETER(f, 1) a1
#define HM_P2(f) HM_P1(f), HM_PARAMETER(f, 2) a2
#define HM_P3(f) HM_P2(f), HM_PARAMETER(f, 3) a3
#define HM_P4(f) HM_P3(f), HM_PARAMETER(f, 4) a4
#define HM_P5(f) HM_P4(f), HM_PARAMETER(f, 5) a5
#define HM_P6(f) HM_P5(f), HM_PARAMETER(f, 6) a6
#define HM_P7(f) HM_P6(f), HM_PARAMETER(f, 7) a7
#define HM_P8(f) HM_P7(f), HM_PARAMETER(f, 8) a8
#define HM_P9(f) HM_P8(f), HM_PARAMETER(f, 9) a9
#define HM_P10(f) HM_P9(f), HM_PARAMETER(f, 10) a10
#define HM_P11(f) HM_P10(f), HM_PARAMETER(f, 11) a11
#define HM_P12(f) HM_P11(f), HM_PARAMETER(f, 12) a12
#define HM_P13(f) HM_P12(f), HM_PARAMETER(f, 13) a13
#define HM_P14(f) HM_P13(f), HM_PARAMETER(f, 14) a14
#define HM_A0
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

/* A Fortran subroutine has one argument more than the C function, the error code. */
#define HM_AND_ERROR0 1
#define HM_AND_ERROR1 2
#define HM_AND_ERROR2 3
#define HM_AND_ERROR3 4
#define HM_AND_ERROR4 5
#define HM_AND_ERROR5 6
#define HM_AND_ERROR6 7
#define HM_AND_ERROR7 8
#define HM_AND_ERROR8 9
#define HM_AND_ERROR9 10
#define HM_AND_ERROR10 11
#define HM_AND_ERROR11 12
#define HM_AND_ERROR12 13
#define HM_AND_ERROR13 14
