// Every script of the pages. A page asks for this file alone: what it imports is joined into it when static files are
// collected (deploy/static_files.py), and a browser that gets it as it stands asks for the others itself.
import "./display.js";
import "./enhancements.js";
import "./clock.js";
import "./swaps.js";
import "./live.js";
import "./presence.js";
import "./typing.js";
import "./dictation.js";
import "./points.js";
import "./results.js";
import "./forms.js";
import "./taps.js";
import "./amending.js";
import "./referee.js";
import "./following.js";
import "./outbox_status.js";
import "./offline.js";
import "./forgetting.js";
import "./awake.js";
import "./scene.js";
import "./sounds.js";
import "./sharing.js";
