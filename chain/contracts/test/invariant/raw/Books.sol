// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";

/// @dev A task's state, reconstructed from the log.
struct TaskBook {
    address agent;
    address human;
    uint256 deposited;
    uint256 live;
    uint256 paid;
    uint256 refunded;
    uint256 fee;
    uint16 feeBasisPoints;
    IEscrow.Status status;
    IEscrow.Party disputedBy;
    bool approved;
    bool ruled;
    uint256 submittedAt;
    uint256 lastActivityAt;
    uint256 applicationId;
    uint256 panel;
}

/// @dev The possible outcomes of an activated stake.
enum Fate {
    Open,
    Return,
    Forfeit
}

/// @dev An application's state, reconstructed from the log.
struct StakeBook {
    address human;
    uint256 taskId;
    uint256 amount;
    uint256 expiresAt;
    IApplicationStaking.StakeStatus status;
    Fate fate;
}

/// @dev A panel. Its validators are a bit set, indexed in the order of `World`'s keys.
struct PanelBook {
    uint256 validators;
    uint256 quorum;
}
