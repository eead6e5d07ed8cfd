// Package junit writes reports in the XML of JUnit, which CI systems read. The doctor and the scenarios have such
// reports.
package junit
