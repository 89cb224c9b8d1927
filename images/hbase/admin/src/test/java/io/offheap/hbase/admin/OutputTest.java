package io.offheap.hbase.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class OutputTest {
  @Test
  void listingIsAlignedAndHasNoEmptyCell() {
    var listing = Output.listing("region", "startKey", "regions");
    listing.add("a", "", 12);
    listing.add("long", "k1", null);
    listing.add("b", List.of("x", "y"), 0);

    assertThat(listing.output().in(Output.Format.table))
        .isEqualTo(
            """
            REGION  START KEY  REGIONS
            a       -          12
            long    k1         -
            b       x,y        0
            """);
  }

  @Test
  void jsonKeepsTypesAndWhatIsEmpty() {
    var listing = Output.listing("region", "startKey", "regions");
    listing.add("<a>", "", 12);
    listing.add("b", List.of("x"), null);

    assertThat(listing.output().in(Output.Format.json))
        .isEqualTo(
            """
            [
              {
                "region": "<a>",
                "startKey": "",
                "regions": 12
              },
              {
                "region": "b",
                "startKey": [
                  "x"
                ],
                "regions": null
              }
            ]
            """);
  }

  @Test
  void emptyListingHasItsHeadingAndIsAnEmptyList() {
    var output = Output.listing("lock").output();

    assertThat(output.in(Output.Format.table)).isEqualTo("LOCK\n");
    assertThat(output.in(Output.Format.json)).isEqualTo("[]\n");
  }

  @Test
  void doneIsASentenceAndFacts() {
    var output = Output.done("table t created", "table", "t", "regions", 1);

    assertThat(output.in(Output.Format.table)).isEqualTo("table t created\n");
    assertThat(output.in(Output.Format.json))
        .isEqualTo("{\n  \"table\": \"t\",\n  \"regions\": 1\n}\n");
  }
}
