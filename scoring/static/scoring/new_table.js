// What only the form of a new table needs, joined as `app.js` is.
import "./seating.js";
import "./house.js";
