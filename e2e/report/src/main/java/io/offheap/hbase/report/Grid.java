package io.offheap.hbase.report;

import java.util.List;

/**
 * One plot of several units, as in HBASE-11323: a column for each variant, a row for each figure,
 * and in each chart a point for each unit.
 *
 * @param name of the plot's file
 * @param after the unit in whose section it stands: the last of the units
 * @param units in the order of the points
 * @param labels of the points
 * @param figures the lines of each row; a row may have several
 */
record Grid(
    String name,
    String title,
    String after,
    List<String> units,
    List<String> labels,
    List<List<Figure>> figures) {}
