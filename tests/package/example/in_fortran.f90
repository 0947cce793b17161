program in_fortran
  use hypermile
  implicit none
  integer :: step
  do step = 1, 3
    call hm_iteration()
  end do
  print '(a)', 'done'
end program in_fortran
