import java.util.Map;
import java.util.Random;

/**
 * A bot in Java 17, with the standard library only. It plays any game of Pitboss, at random.
 *
 * The method to change is choose(), below: it gets a question and returns the index of one of its legal actions.
 * What actions and views look like: `pitboss games GAME`, and GAME.md, if `pitboss new bot` was told a game.
 *
 *     pitboss check .                       whether the bot keeps the rules of the wire, and what to do if not
 *     pitboss match GAME . house:random     let it play; it is built again whenever a file of this folder has changed
 *
 * Standard output is the wire, but System.out.println is safe: it goes to standard error here; `pitboss log` shows it.
 */
final class Bot {
    private Map<String, Object> hello = Map.of(); // of this process: game, options, seats, clock
    private Map<String, Object> start = Map.of(); // of this game: players, seed
    private Random luck = new Random(0);

    /**
     * Answer a question with an index into question.legal(). Write your own bot here.
     *
     * What is in a question stands in Question.java; `hello` and `start` have the rest; Json.java says what JSON becomes in Java.
     * For example, the first action that plays, else the first of all:
     *
     *     for (int at = 0; at < question.legal().size(); at++)
     *         if (Json.string(question.legal().get(at).get("do")).equals("play")) return at;
     *     return 0;
     *
     * Take all luck from `luck`, as in Collections.shuffle(cards, luck): then the same game can be played again.
     */
    int choose(Question question) {
        return luck.nextInt(question.legal().size());
    }

    void hello(Map<String, Object> message) {
        hello = message;
    }

    void start(Map<String, Object> message) {
        start = message;
        luck = new Random(Json.string(start.get("seed")).hashCode()); // a string's hashCode is the same in every run
    }

    public static void main(String[] arguments) throws java.io.IOException {
        new Wire().talk(new Bot());
    }
}
