! A halo exchange along a ring and a sum, in Fortran.
! fortran_loop [iterations] [work in us]
program fortran_loop
  use mpi
  implicit none
  integer, parameter :: points = 1000
  integer :: error, rank, ranks, next, previous, iterations, work_us, i
  integer :: status(MPI_STATUS_SIZE)
  double precision :: field(0:points), mine(1), total(1), expected
  logical :: ok

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  iterations = argument(1, 50)
  work_us = argument(2, 1500)

  ok = .true.
  field = rank + 1
  do i = 1, iterations
    call MPI_Sendrecv(field(points), 1, MPI_DOUBLE_PRECISION, next, 0, &
                      field(0), 1, MPI_DOUBLE_PRECISION, previous, 0, MPI_COMM_WORLD, status, error)
    ok = ok .and. abs(field(0) - (previous + 1)) < 1d-9
    mine(1) = field(0) * work(work_us)
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, error)
    expected = 0.5d0 * ranks * (ranks + 1)
    ok = ok .and. abs(total(1) - expected) < 1d-9 * expected
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
end program fortran_loop
