! hypermile's interface for Fortran programs: the module hypermile, which does what hypermile.h does
! for programs in C.
!
! Compile this file together with the program, by the program's own compiler; nothing has to be
! linked but the C library:
!
!     mpif90 $PREFIX/include/hypermile/hypermile.f90 app.f90 -o app
!
! Where hypermile is not loaded into the program, the subroutines do nothing. They never fail, and
! any thread may call them.
module hypermile
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_f_procpointer, c_funptr, c_long, &
                                         c_null_char, c_null_ptr, c_ptr
  use, intrinsic :: iso_fortran_env, only: int32, int64
  implicit none
  private
  public :: hm_iteration, hm_progress, hm_arrival

  ! call hm_progress(n): n more items of work are done, for `hypermile steer`; n is an integer of 4
  ! or 8 bytes. Items are whatever the program works on, as long as they are alike. No item is
  ! counted where n is 0 or less.
  interface hm_progress
    module procedure progress_32, progress_64
  end interface hm_progress

  ! call hm_arrival(n): n more items of work have arrived, whether they are done now, later or never.
  ! For programs that work on what comes, and not on what is there from the beginning.
  interface hm_arrival
    module procedure arrival_32, arrival_64
  end interface hm_arrival

  abstract interface
    subroutine marks() bind(C)
    end subroutine marks
    subroutine counts(items) bind(C)
      import :: c_long
      integer(c_long), value :: items
    end subroutine counts
  end interface

  interface
    function dlsym(library, name) bind(C, name='dlsym') result(address)
      import :: c_char, c_funptr, c_ptr
      type(c_ptr), value :: library
      character(kind=c_char), intent(in) :: name(*)
      type(c_funptr) :: address
    end function dlsym
  end interface

  ! A function of hypermile's libraries, which are there from the begin or not at all. To ask twice
  ! does no harm, and neither does a thread that takes a function for missing while another asks.
  type :: hook
    logical :: asked = .false.
    type(c_funptr) :: address
  end type hook
  type(hook), volatile, save :: on_iteration, on_progress, on_arrival

contains

  ! Marks the begin of an iteration of the program's main loop. To be called by every rank, after
  ! MPI_Init.
  subroutine hm_iteration()
    procedure(marks), pointer :: mark
    if (.not. has('hypermile_on_iteration', on_iteration)) return
    call c_f_procpointer(on_iteration%address, mark)
    call mark()
  end subroutine hm_iteration

  subroutine progress_64(n)
    integer(int64), intent(in) :: n
    procedure(counts), pointer :: count_items
    if (n <= 0) return
    if (.not. has('hypermile_on_progress', on_progress)) return
    call c_f_procpointer(on_progress%address, count_items)
    call count_items(int(n, c_long))
  end subroutine progress_64

  subroutine progress_32(n)
    integer(int32), intent(in) :: n
    call progress_64(int(n, int64))
  end subroutine progress_32

  subroutine arrival_64(n)
    integer(int64), intent(in) :: n
    procedure(counts), pointer :: count_items
    if (n <= 0) return
    if (.not. has('hypermile_on_arrival', on_arrival)) return
    call c_f_procpointer(on_arrival%address, count_items)
    call count_items(int(n, c_long))
  end subroutine arrival_64

  subroutine arrival_32(n)
    integer(int32), intent(in) :: n
    call arrival_64(int(n, int64))
  end subroutine arrival_32

  logical function has(name, to)
    character(len=*), intent(in) :: name
    type(hook), volatile, intent(inout) :: to
    if (.not. to%asked) then
      to%address = dlsym(c_null_ptr, name // c_null_char) ! in all libraries of the program
      to%asked = .true.
    end if
    has = c_associated(to%address)
  end function has

end module hypermile
