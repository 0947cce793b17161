/* What "call hm_iteration()" of a Fortran program is linked to: libhypermile_fortran.a. */

#include <hypermile/hypermile.h>

void hm_iteration_(void);

void hm_iteration_(void) { hm_iteration(); }
