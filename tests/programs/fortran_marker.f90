! Says itself where an iteration begins; what it calls in one changes all the time.
! fortran_marker [iterations]
program fortran_marker
  use hypermile, only: hm_iteration
  use mpi
  implicit none
  integer :: error, rank, iterations, i, k, j, problem
  character(len=32) :: text
  double precision :: mine, total

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  iterations = 30
  if (command_argument_count() > 0) then
    call get_command_argument(1, text)
    read (text, *, iostat=problem) iterations
    if (problem /= 0) iterations = 30
  end if
  total = 0d0
  do i = 1, iterations
    call hm_iteration()
    mine = rank
    do k = 1, 400000
      mine = 0.75d0 * mine + 0.25d0
    end do
    do j = 0, mod(i, 3)
      call MPI_Barrier(MPI_COMM_WORLD, error)
    end do
    call MPI_Allreduce(mine, total, 1, MPI_DOUBLE_PRECISION, MPI_MIN, MPI_COMM_WORLD, error)
  end do
  call MPI_Finalize(error)
  if (abs(total - 1d0) > 1d-9) error stop 1
end program fortran_marker
