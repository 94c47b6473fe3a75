import java.io.BufferedReader;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The wire: one JSON object a line; types and fields that are not known here are ignored. */
final class Wire {
    private final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    private final PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    /** Talk to the runner until it says bye or closes the pipe. */
    void talk(Bot bot) throws IOException {
        System.setOut(System.err);
        String line;
        while ((line = in.readLine()) != null) {
            Map<String, Object> message;
            try {
                message = Json.object(Json.read(line));
            } catch (Json.Unfinished half) {
                return; // half a line: the runner has gone
            }
            switch (Json.string(message.get("type"))) {
                case "hello" -> {
                    bot.hello(message);
                    say("{\"type\":\"ready\"}");
                }
                case "start" -> bot.start(message);
                case "decide" -> {
                    int chosen = bot.choose(Question.of(message));
                    say("{\"type\":\"act\",\"id\":" + message.get("id") + ",\"choose\":" + chosen + "}");
                }
                case "bye" -> {
                    return;
                }
                default -> { }
            }
        }
    }

    private void say(String line) {
        out.print(line + "\n");
        out.flush(); // or the line would wait in a buffer, and the clock would run out
    }
}
