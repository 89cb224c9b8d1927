package org.apache.hadoop.hdfs.client.impl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.datatransfer.Sender;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.server.datanode.CachingStrategy;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

/** The kept encoder against Hadoop's own sender, byte by byte. */
class ReadRequestEncoderTest {
  private static final int SEED = 21879;
  private static final String[] NAMES = {
    "", "a", "BP-1-127.0.0.1-1", "DFSClient_hb_rs_\u00e9\u4e2d\ud83d\ude00", "x".repeat(700)
  };

  private final Random random = new Random(SEED);
  private final ReadRequestEncoder encoder = new ReadRequestEncoder();

  @Test
  void sendsWhatHadoopsSenderSends() throws IOException {
    for (int i = 0; i < 5000; i++) {
      var block = new ExtendedBlock(name(), number(), number(), number());
      var token = token();
      var client = name();
      long offset = number();
      long length = number();
      boolean checksums = random.nextBoolean();
      var caching = new CachingStrategy(dropBehind(), readahead());
      encoder.encode(block, token, client, offset, length, checksums, caching);
      assertThat(encoded())
          .as("request %s of seed %s", i, SEED)
          .isEqualTo(sent(block, token, client, offset, length, checksums, caching));
    }
  }

  private byte[] encoded() {
    var bytes = encoder.bytes();
    byte[] encoded = new byte[bytes.remaining()];
    bytes.get(encoded);
    return encoded;
  }

  private static byte[] sent(
      ExtendedBlock block,
      Token<BlockTokenIdentifier> token,
      String client,
      long offset,
      long length,
      boolean checksums,
      CachingStrategy caching)
      throws IOException {
    var bytes = new ByteArrayOutputStream();
    new Sender(new DataOutputStream(bytes))
        .readBlock(block, token, client, offset, length, checksums, caching);
    return bytes.toByteArray();
  }

  private String name() {
    return NAMES[random.nextInt(NAMES.length)];
  }

  /** Of every length of varint, negative ones too. */
  private long number() {
    return random.nextLong() >> random.nextInt(64);
  }

  private Token<BlockTokenIdentifier> token() {
    return random.nextInt(3) == 0
        ? new Token<>()
        : new Token<>(bytes(), bytes(), new Text(name()), new Text(name()));
  }

  private byte[] bytes() {
    byte[] bytes = new byte[random.nextInt(400)];
    random.nextBytes(bytes);
    return bytes;
  }

  private Boolean dropBehind() {
    return random.nextInt(3) == 0 ? null : Boolean.valueOf(random.nextBoolean());
  }

  private Long readahead() {
    return random.nextInt(3) == 0 ? null : Long.valueOf(number());
  }
}
