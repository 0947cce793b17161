! Counts what arrives and what it does, two items at a time. Needs no MPI.
! fortran_progress [pairs of items]
program fortran_progress
  use, intrinsic :: iso_fortran_env, only: int64
  use hypermile, only: hm_arrival, hm_progress
  implicit none
  integer :: pairs, i, k, problem
  character(len=32) :: text
  double precision :: x

  pairs = 1000
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *, iostat=problem) pairs
    if (problem /= 0) pairs = 1000
  end if
  x = 2d0
  do i = 1, pairs
    call hm_arrival(1)
    call hm_arrival(1_int64)
    do k = 1, 1000000
      x = 0.75d0 * x + 0.25d0
    end do
    call hm_progress(1)
    call hm_progress(1_int64)
    call hm_progress(0)
    call hm_progress(-1)
  end do
  if (abs(x - 1d0) > 1d-9) error stop 1
end program fortran_progress
