import Foundation

/// A configuration to measure with, and sentences that are nearly, but not, in it.
struct Domain {
    let name: String
    let templates: [String]
    /// Variables that the templates use.
    let variables: String
    /// What somebody might say who knows the application only by hearsay: words of the configuration in
    /// sentences it does not have.
    let nearMisses: [String]

    var source: String { ([variables] + templates + [""]).joined(separator: "\n") }

    static let all = [repositories, smartHome, robot, shop]

    /// Sentences that have nothing to do with any of the configurations.
    static let unrelated = [
        "the weather was rather nice yesterday", "i think we should leave before noon",
        "my sister has moved to another city", "did you see the game last night",
        "she never told me what happened", "we were talking about the election",
        "he bought a ticket for the evening train", "nobody knows where the dog went",
        "the meeting has been moved to thursday", "can you pass me the salt please",
        "it takes about an hour to get there", "they have three children and a cat",
        "i forgot to call my mother", "what do you think about the new teacher",
        "that was the best holiday of my life", "the bridge is closed because of the storm",
        "we could have dinner at the old harbour", "please remember to water the plants",
        "her handwriting is hard to read", "let us meet in front of the museum",
        "the doctor said it was nothing serious", "i would rather stay at home tonight",
        "the price of bread has doubled", "you should really see a dentist about that",
        "he is always late on mondays", "there is a hole in my left shoe",
        "our neighbours are painting their house", "it rained during the whole summer",
        "do you know how old this tree is", "the train to the coast was full of people",
        "somebody left an umbrella in the hallway", "we learned about volcanoes in school",
        "i have never been to japan", "the soup tastes better with more pepper",
        "her brother works for a newspaper", "they are getting married in september",
        "the key is under the flower pot", "what a strange thing to say",
        "i will send you an email tomorrow morning", "the baby slept for the whole flight",
    ]
}

extension Domain {
    static let repositories = Domain(
        name: "repos",
        templates: [
            "*filter show {me} {[all | only]} $languages(language) {$things}",
            "*filter filter {$things} by $languages(language) {language}",
            "*filter i want to see $languages(language) $things",
            "*filter list {all} $things written in $languages(language)",
            "*filter hide {all} $languages(language) $things",
            "*sort [sort | order] {the} {$things} by $fields(sort_field)",
            "*sort sort by $fields(sort_field) [ascending | descending](direction)",
            "*sort put the $fields(sort_field) first",
            "*reset [reset | remove] {[the | all]} filters {to default}",
            "*reset start over",
            "*open open the [1..20](number) {repository}",
            "*open open repository number [1..50](number)",
            "*star {please} star this repository",
            "*unstar take the star away",
            "*clone clone [this | the last] repository {into my workspace}",
            "*search search {for} $topics(topic) {$things}",
            "*search find $things about $topics(topic)",
            "*page next page", "*page first page",
            "*page go [forward | back](direction) [one | two | three](count) pages",
            "*help what can i say",
        ],
        variables: """
            languages = [go | typescript | python | swift | rust | kotlin | javascript | haskell]
            fields = [name | language | followers | stars | forks | size | last update]
            things = [items | results | repos | repositories]
            topics = [compilers | machine learning | games | databases | web servers | image processing | robotics]
            """,
        nearMisses: [
            "reset my password", "sort the laundry", "show me the way home", "open the window please",
            "filter the coffee twice", "order a pizza by phone", "list all the people in the room",
            "find out about the accident", "go back to sleep", "star of the evening show",
            "remove the old furniture", "search for my glasses",
        ])

    static let smartHome: Domain = {
        let devices = [
            "lights", "ceiling lamp", "fan", "heater", "television", "radio", "coffee machine", "air conditioner",
            "humidifier", "projector",
        ]
        let switched = devices.flatMap { device in
            [
                "*turn_on {please} [turn | switch] on {the} [\(device)](device) {in the $rooms(room)}",
                "*turn_off {please} [turn | switch] off {the} [\(device)](device) {in the $rooms(room)}",
                "*schedule turn the [\(device)](device) [on | off](state) at [1..12](hour) o'clock",
                "*status is the [\(device)](device) still running",
            ]
        }
        return Domain(
            name: "smart home",
            templates: switched + [
                "*set_temperature set {the} temperature {in the $rooms(room)} to [15..28](degrees) {degrees}",
                "*warmer make it {a little} warmer {in the $rooms(room)}",
                "*cooler make it {a little} cooler {in the $rooms(room)}",
                "*dim dim {the} lights {in the $rooms(room)} to [10..90](percent) percent",
                "*color [change | set] {the} lights {in the $rooms(room)} to $colors(color)",
                "*open_blinds [open | raise] {the} blinds {in the $rooms(room)}",
                "*close_blinds [close | lower] {the} blinds {in the $rooms(room)}",
                "*lock lock {the} [front door | back door | garage](door)",
                "*unlock unlock {the} [front door | back door | garage](door)",
                "*scene {activate} $scenes(scene) {mode}",
                "*alarm wake me up at [5..11](hour) {in the morning}",
                "*timer set {a} timer for [1..60](minutes) minutes",
                "*cancel_timer cancel {the} timer", "*volume_up louder {please}", "*volume_down quieter {please}",
                "*question who is at the [front door | back door](door)",
                "*vacuum vacuum the $rooms(room)", "*water water the garden {for [5..30](minutes) minutes}",
                "*energy how much energy did we use [today | yesterday | this week](period)",
                "*goodnight good night",
            ],
            variables: """
                rooms = [kitchen | bedroom | living room | bathroom | hallway | office | dining room | nursery]
                colors = [red | blue | green | purple | orange | warm white | yellow]
                scenes = [movie night | dinner party | reading | relaxing | vacation]
                """,
            nearMisses: [
                "turn on the charm", "turn off at the next exit", "set the table for dinner", "lock the suitcase",
                "make it to the top of the hill", "the living room needs new wallpaper", "open your books please",
                "wake me up before you go", "change the baby", "is the marathon still on",
                "the kitchen was full of people", "water is good for you", "who is at the party",
            ])
    }()

    static let robot: Domain = {
        let parts = ["arm", "gripper", "head", "camera", "base", "left wheel", "right wheel", "elbow", "wrist", "mast"]
        let moves = parts.flatMap { part in
            [
                "*rotate rotate the [\(part)](part) $sides(side) {by $angles(angle) degrees}",
                "*move move the [\(part)](part) $directions(direction) {by [1..30](distance) centimeters}",
                "*stop_part stop the [\(part)](part)", "*calibrate calibrate {the} [\(part)](part) {again}",
                "*speed set the speed of the [\(part)](part) to $speeds(speed)",
                "*report report the [position | temperature | load](quantity) of the [\(part)](part)",
                "*home send the [\(part)](part) home", "*lock lock the [\(part)](part) in position",
            ]
        }
        return Domain(
            name: "robot",
            templates: moves + [
                "*drive drive $directions(direction) [1..20](distance) meters", "*drive drive to the $places(place)",
                "*turn turn $sides(side) {$angles(angle) degrees}", "*grab [grab | pick up] the $objects(object)",
                "*drop [drop | put down] the $objects(object) {at the $places(place)}",
                "*carry bring the $objects(object) to the $places(place)", "*follow follow me",
                "*wait wait {for} [1..60](time) [seconds | minutes](unit)", "*emergency emergency stop",
                "*resume resume {the} mission", "*pause pause {the} mission", "*map start mapping {the $places(place)}",
                "*picture take a picture {of the $objects(object)}", "*charge go {back} to the charging station",
                "*battery how much battery is left", "*inspect inspect the $places(place) {twice}",
                "*repeat do that again", "*undo undo the last move", "*record record a new path", "*shutdown shut down",
            ],
            variables: """
                sides = [left | right | clockwise]
                directions = [forward | backward | up | down]
                angles = [ten | twenty | thirty | forty five | sixty | ninety | one hundred eighty]
                speeds = [slow | medium | fast | maximum]
                places = [loading dock | workshop | storage room | entrance | assembly line | parking lot]
                objects = [red box | blue box | wrench | cable | bucket | screwdriver | battery pack]
                """,
            nearMisses: [
                "stop the music", "move to another apartment", "pick up the children from school",
                "drop me a line", "send the letter home", "follow the money", "drive carefully in the snow",
                "take a picture of my family", "report the crime to the police", "bring the drinks to the party",
                "wait for the bus", "turn left at the church",
            ])
    }()

    static let shop: Domain = {
        let groups = [
            "jeans", "shirts", "jackets", "sneakers", "boots", "dresses", "sweaters", "scarves", "gloves", "belts",
            "skirts", "sandals", "hats", "coats", "socks", "blouses", "backpacks", "watches", "sunglasses", "wallets",
        ]
        let carriers = [
            "*search {i am} looking for $colors(color) [X](product)",
            "*search show {me} {all} $colors(color) [X](product)",
            "*search do you have [X](product) in size $sizes(size)", "*search find [X](product) from $brands(brand)",
            "*search show {me} [X](product) for [men | women | children](group)",
            "*search [X](product) under [20..90](price) [dollars | euros](currency)",
            "*filter only [X](product) made of $materials(material)", "*filter only $brands(brand) [X](product)",
            "*exclude no $colors(color) [X](product) please", "*exclude hide [X](product) made of $materials(material)",
            "*sort sort [X](product) by [price | rating | newest](field)",
            "*cart add {these} [X](product) to {the | my} cart",
            "*cart put two pairs of [X](product) in my basket",
            "*remove remove {the} $colors(color) [X](product) {from my cart}",
            "*compare compare {these} [X](product)", "*wish save the [X](product) for later",
            "*return i want to return {my} [X](product)", "*size which size of [X](product) fits me",
            "*review what do people say about {these} [X](product)", "*stock are the [X](product) in stock",
        ]
        return Domain(
            name: "shop",
            templates: groups.flatMap { group in
                carriers.map {
                    $0.replacingOccurrences(of: "X", with: group).replacingOccurrences(
                        of: "{the | my}", with: "{[the | my]}")
                }
            },
            variables: """
                colors = [black | white | red | navy blue | green | brown | grey | pink | yellow | beige]
                sizes = [small | medium | large | extra large | [36..46]]
                brands = [acme | northwind | contoso | blue harbor | silver creek | urban fox]
                materials = [cotton | leather | wool | denim | linen | silk | recycled plastic]
                """,
            nearMisses: [
                "show me your hands", "add salt to the soup", "remove the stains from the carpet",
                "looking for a place to stay", "i want to return home", "put two spoons of sugar in my tea",
                "what do people say about the mayor", "are the trains on time", "find the missing key",
                "compare the answers", "save the whales", "only made of money",
            ])
    }()

    /// 2,000 templates about songs, whose titles are made of common words.
    static func music(words: [String]) -> Domain {
        let carriers = [
            "*play {please} [play | put on] [TITLE](song) {by $artists(artist)}",
            "*add add [TITLE](song) to {my} $playlists(playlist) {playlist}",
            "*remove [remove | delete] [TITLE](song) from {my} $playlists(playlist) {playlist}",
            "*queue play [TITLE](song) [next | after this one](when)", "*like i {really} like [TITLE](song)",
            "*artist who wrote [TITLE](song)", "*lyrics show {me} the lyrics of [TITLE](song)",
            "*repeat repeat [TITLE](song) [2..9](times) times",
        ]
        let titles = words.indices.map { words[$0] + " " + words[($0 * 7 + 3) % words.count] }
        return Domain(
            name: "music",
            templates: (0..<2_000).map { number in
                carriers[(number + number / words.count * 3) % carriers.count]
                    .replacingOccurrences(of: "TITLE", with: titles[number % titles.count])
            },
            variables: """
                artists = [anna miller | the velvet crows | johnny stone | electric garden | maria santos | night parade]
                playlists = [morning | workout | favorites | road trip | cooking | party]
                """,
            nearMisses: [
                "play football after school", "add sugar to the coffee", "remove the snow from the car",
                "i really like your new haircut", "who wrote that letter to the bank",
                "show me the pictures of your trip",
                "repeat the question please", "put on a warm sweater", "delete the file from my computer",
                "play a game with your brother", "who wrote on the wall", "add my name to the guest list",
            ])
    }
}
