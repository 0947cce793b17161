; A wave in a bent dielectric guide, in time steps.
(set! geometry-lattice (make lattice (size 16 16 no-size)))
(set! geometry (list
  (make block (center -2 -3.5) (size 12 1 infinity) (material (make dielectric (epsilon 12))))
  (make block (center 3.5 2) (size 1 12 infinity) (material (make dielectric (epsilon 12))))))
(set! pml-layers (list (make pml (thickness 1.0))))
(set! resolution 20)
(set! sources (list (make source (src (make continuous-src (wavelength (* 2 (sqrt 12))) (width 20)))
  (component Ez) (center -7 -3.5) (size 0 1))))
(define flux (add-flux 0.15 0.1 20 (make flux-region (center 3.5 6) (size 2 0))))
(run-until 200)
(display-fluxes flux)
