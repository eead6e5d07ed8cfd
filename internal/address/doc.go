// Package address compares addresses that two sides spell in their own ways.
package address
