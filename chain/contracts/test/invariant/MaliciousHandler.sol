// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Handler} from "./Handler.sol";

/// @dev A profile with a hostile owner, who also posts and applies, and acts before every third
/// action: adds arbitrary accounts as validators, changes fees before other accounts' calls,
/// pauses, and transfers the contracts. All invariants must still hold.
contract MaliciousHandler is Handler {
    constructor() {
        agents.push(owner);
        humans.push(owner);
        _fund(owner);
        delete touched;
    }

    function _interfere() internal override {
        uint256 kind = _draw(30);
        if (kind < 2) _setPlatformFee();
        else if (kind < 6) _changePanel();
        else if (kind == 6) _setPause(ownerOf[address(escrow)], true);
        else if (kind == 7) _setPause(ownerOf[address(escrow)], false);
        else if (kind == 8) _offerOwnership(_owned());
        else if (kind == 9) _withdrawFromTreasury();
    }
}
