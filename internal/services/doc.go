// Package services lists the functions of the version packages, for tests that visit every service.
package services
