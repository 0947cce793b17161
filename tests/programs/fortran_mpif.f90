! A halo exchange along a ring and a sum, in Fortran with mpif.h.
! fortran_mpif [iterations] [work in us]
program fortran_mpif
  implicit none
  include 'mpif.h'
  integer :: error, rank, ranks, next, previous, iterations, work_us, i
  integer :: requests(2)
  double precision :: mine(2), theirs(2), total(2)
  logical :: ok

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  iterations = argument(1, 50)
  work_us = argument(2, 1500)

  ok = .true.
  do i = 1, iterations
    mine = rank + work(work_us)
    call MPI_Irecv(theirs, 2, MPI_DOUBLE_PRECISION, previous, 0, MPI_COMM_WORLD, requests(1), error)
    call MPI_Isend(mine, 2, MPI_DOUBLE_PRECISION, next, 0, MPI_COMM_WORLD, requests(2), error)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, error)
    ok = ok .and. abs(theirs(1) - (previous + 1)) < 1d-9
    call MPI_Allreduce(mine, total, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    ok = ok .and. abs(total(2) - 0.5d0 * ranks * (ranks + 1)) < 1d-6
  end do
  call MPI_Finalize(error)
  if (.not. ok) error stop 1

contains

  ! Argument number `place`, or `fallback` where there is none.
  integer function argument(place, fallback)
    integer, intent(in) :: place, fallback
    character(len=32) :: text
    integer :: problem
    argument = fallback
    if (command_argument_count() < place) return
    call get_command_argument(place, text)
    read (text, *, iostat=problem) argument
    if (problem /= 0) argument = fallback
  end function argument

  ! Computes for about `us` microseconds; the result is 1.
  double precision function work(us)
    integer, intent(in) :: us
    integer :: k, step
    work = 2d0
    do k = 1, us
      do step = 1, 600
        work = 0.75d0 * work + 0.25d0
      end do
    end do
  end function work
end program fortran_mpif
