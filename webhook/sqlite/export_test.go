package sqlite

// OpenOn opens an inbox on a layer of files that a test has registered.
var OpenOn = open

// Patient repeats what is busy.
var Patient = patient
