! Non-blocking and persistent messages without statuses, wildcards, and communicators, in Fortran.
! fortran_messages [iterations] [work in us]
program fortran_messages
  use mpi
  implicit none
  integer :: error, rank, ranks, next, previous, i, place, half, twin, half_rank, half_ranks
  integer :: requests(4), iterations, total
  double precision, volatile :: out(2), in(2) ! MPI reads and writes them between calls
  logical :: ok

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  next = mod(rank + 1, ranks)
  previous = mod(rank + ranks - 1, ranks)
  iterations = 5

  call MPI_Comm_dup(MPI_COMM_WORLD, twin, error)
  call MPI_Comm_split(twin, mod(rank, 2), -rank, half, error)
  call MPI_Comm_rank(half, half_rank, error)
  call MPI_Comm_size(half, half_ranks, error)
  ok = .true.
  do i = 1, iterations
    out = work(100) * rank
    call MPI_Irecv(in(1), 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 1, twin, requests(1), error)
    call MPI_Irecv(in(2), 1, MPI_DOUBLE_PRECISION, previous, 1, MPI_COMM_WORLD, requests(2), error)
    call MPI_Isend(out(1), 1, MPI_DOUBLE_PRECISION, next, 1, twin, requests(3), error)
    call MPI_Isend(out(2), 1, MPI_DOUBLE_PRECISION, next, 1, MPI_COMM_WORLD, requests(4), error)
    call MPI_Waitany(4, requests, place, MPI_STATUS_IGNORE, error)
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE, error)
    ok = ok .and. all(abs(in - previous) < 1d-9)
    call MPI_Send(out(1), 1, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, 1, half, error)
    call MPI_Allreduce(1, total, 1, MPI_INTEGER, MPI_SUM, half, error)
    ok = ok .and. total == half_ranks
    call MPI_Bcast(out, 2, MPI_DOUBLE_PRECISION, 0, half, error)
  end do

  call MPI_Recv_init(in, 1, MPI_DOUBLE_PRECISION, MPI_ANY_SOURCE, 2, half, requests(1), error)
  call MPI_Send_init(out, 1, MPI_DOUBLE_PRECISION, mod(half_rank + 1, half_ranks), 2, half, &
                     requests(2), error)
  do i = 1, iterations
    out = work(100) * i
    call MPI_Startall(2, requests, error)
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, error)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, error)
    ok = ok .and. abs(in(1) - i) < 1d-9
    call MPI_Barrier(half, error)
  end do
  call MPI_Request_free(requests(1), error)
  call MPI_Request_free(requests(2), error)
  call MPI_Comm_free(half, error)
  call MPI_Comm_free(twin, error)
  call MPI_Finalize(error)
  if (.not. ok) error stop 1

contains

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
end program fortran_messages
