import java.util.List;
import java.util.Map;

/**
 * A question of the runner.
 *
 * @param seat yours, from 0, clockwise
 * @param phase what is to be decided, as "draw"
 * @param legal all actions that you may choose from, as {do=play, card=7}
 * @param view all that you may know now
 * @param message the whole question, with "id" and "clock" too
 */
record Question(int seat, String phase, List<Map<String, Object>> legal, Map<String, Object> view, Map<String, Object> message) {
    /** Take what a bot looks at out of a message. */
    static Question of(Map<String, Object> message) {
        return new Question(
                Json.integer(message.get("seat")),
                Json.string(message.get("phase")),
                Json.array(message.get("legal")).stream().map(Json::object).toList(),
                Json.object(message.get("view")),
                message);
    }
}
